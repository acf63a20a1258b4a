"""Arithmetic: plain numbers in and out, each function with the source of its formula.

The stub beside this file shows the names to type checkers.
"""

import importlib

_HOMES: dict[str, tuple[str, ...]] = {
    "agreement": (
        "BinaryAgreement",
        "WeightedKappa",
        "binary_agreement",
        "weighted_kappa",
    ),
    "bias": (
        "FamilyVerdicts",
        "JudgeTestRetest",
        "LengthBias",
        "PositionBiasDirection",
        "PositionFlipRate",
        "SelfPreference",
        "judge_test_retest",
        "length_bias_logit",
        "position_bias_direction",
        "position_flip_rate",
        "self_preference",
    ),
    "bootstrap": (
        "Bootstrap",
        "IdealBootstrap",
        "bootstrap_mean",
        "bootstrap_ratio",
        "ideal_bootstrap_mean",
    ),
    "charts": (
        "CusumLow",
        "EwmaLow",
        "LaneyPPrime",
        "PChart",
        "ShewhartAlpha",
        "cusum_llr_low",
        "ewma_low",
        "laney_p_prime",
        "p_chart",
        "shewhart_alpha",
    ),
    "clusters": (
        "ClusteredSE",
        "EffectiveWilson",
        "VarianceComponents",
        "clustered_se",
        "variance_components",
        "wilson_effective_n",
    ),
    "costs": (
        "GeometricRatio",
        "PairedCost",
        "QuantileRanks",
        "Runaways",
        "UnpairedCost",
        "geometric_ratio",
        "paired_cost",
        "quantile_order_ci",
        "runaway_cases",
        "unpaired_cost",
    ),
    "detectable": (
        "SuiteSight",
        "cases_for_drop",
        "power_for_drop",
        "resized_sight",
        "smallest_drop",
        "suite_sight",
        "trials_for_drop",
    ),
    "dispersion": (
        "PassDispersion",
        "pass_dispersion",
        "variance_above",
    ),
    "labels": (
        "LabelsNeeded",
        "PPIMean",
        "RoganGladen",
        "labels_for_wilson_half_width",
        "ppi_mean",
        "rogan_gladen",
    ),
    "multiplicity": (
        "MultipleComparisons",
        "multiple_comparisons",
    ),
    "nominal": (
        "KappaBounds",
        "bootstrap_kappa",
        "nominal_kappa",
    ),
    "paired": (
        "DriftingDifference",
        "McNemar",
        "PairedDifference",
        "SignFlips",
        "difference_across_days",
        "mcnemar",
        "paired_difference",
        "sign_flip_permutation",
        "sign_flip_permutation_exact",
    ),
    "passk": (
        "PluginExpectation",
        "PluginPassK",
        "SuitePassK",
        "naive_plugin",
        "pass_at_k",
        "pass_hat_k",
        "plugin_expectation",
        "posterior_mean_pass_hat_k",
        "suite_pass_k",
    ),
    "planning": (
        "MinimumDifference",
        "SingleMean",
        "cases_needed",
        "mde_paired",
        "sampling_variance",
        "se_single_mean",
        "trials_needed",
        "true_difference_variance",
        "within_variance",
    ),
    "proportions": (
        "clopper_pearson",
        "clopper_pearson_one_sided_lower",
        "jeffreys",
        "standard_error",
        "t_interval",
        "wilson",
        "wilson_rate",
    ),
    "ranking": (
        "BradleyTerry",
        "DavidsonTies",
        "bradley_terry",
        "davidson_ties",
        "elo_sequential",
    ),
    "ratings": (
        "KrippendorffAlpha",
        "fleiss_kappa",
        "krippendorff_alpha",
    ),
    "sampling": (
        "HashSample",
        "hash_sampling",
    ),
    "scores": (
        "ScoreErrors",
        "ThresholdMetrics",
        "score_errors",
        "threshold_metrics",
    ),
    "sequential": (
        "AlphaSpent",
        "EValue",
        "Sprt",
        "SprtDecision",
        "TruncatedSprt",
        "alpha_spending",
        "beta_mixture_e_value",
        "null_flip_probability",
        "sprt_bernoulli",
        "sprt_truncated_exact",
    ),
    "special": (
        "beta_cdf",
        "beta_quantile",
        "normal_quantile",
        "t_quantile",
    ),
    "tolerance": (
        "MeasuredTolerance",
        "MinimumBound",
        "RunVariance",
        "SmallSampleFactors",
        "between_run_variance",
        "c4_d2",
        "nonparametric_tolerance_min",
        "prediction_factor_one_sided",
        "tolerance_factor_one_sided",
        "tolerance_from_runs",
    ),
    "traffic": (
        "FiniteRate",
        "StratifiedRate",
        "fpc_rate",
        "stratified_rate",
    ),
    "two_arms": (
        "DifferenceIntervals",
        "ProbWorse",
        "difference_two_independent",
        "prob_worse_by_margin",
        "prob_worse_jeffreys_prior",
        "prob_worse_uniform_prior",
    ),
    "two_by_two": (
        "CandidateWorse",
        "FisherExact",
        "Power",
        "barnard_exact",
        "boschloo_exact",
        "fisher_exact",
        "fisher_power_exact",
        "fisher_trials_needed",
    ),
}
"""The public names by the file that they stand in; a file is loaded when one of them is used."""

__all__ = [name for names in _HOMES.values() for name in names]


def __getattr__(name: str) -> object:
    """Load a name when it is first used.

    Raises:
        AttributeError: There is no such name.
    """
    for home, names in _HOMES.items():
        if name in names:
            value = getattr(importlib.import_module(f"{__name__}.{home}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
