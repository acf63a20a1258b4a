"""Arithmetic: plain numbers in and out, each function with the source of its formula."""

from fairtrial.stats.clusters import (
    ClusteredSE,
    EffectiveWilson,
    VarianceComponents,
    clustered_se,
    variance_components,
    wilson_effective_n,
)
from fairtrial.stats.passk import (
    PluginExpectation,
    PluginPassK,
    SuitePassK,
    naive_plugin,
    pass_at_k,
    pass_hat_k,
    plugin_expectation,
    posterior_mean_pass_hat_k,
    suite_pass_k,
)
from fairtrial.stats.proportions import (
    clopper_pearson,
    clopper_pearson_one_sided_lower,
    jeffreys,
    standard_error,
    t_interval,
    wilson,
    wilson_rate,
)
from fairtrial.stats.special import beta_cdf, beta_quantile, normal_quantile, t_quantile

__all__ = [
    "ClusteredSE",
    "EffectiveWilson",
    "PluginExpectation",
    "PluginPassK",
    "SuitePassK",
    "VarianceComponents",
    "beta_cdf",
    "beta_quantile",
    "clopper_pearson",
    "clopper_pearson_one_sided_lower",
    "clustered_se",
    "jeffreys",
    "naive_plugin",
    "normal_quantile",
    "pass_at_k",
    "pass_hat_k",
    "plugin_expectation",
    "posterior_mean_pass_hat_k",
    "standard_error",
    "suite_pass_k",
    "t_interval",
    "t_quantile",
    "variance_components",
    "wilson",
    "wilson_effective_n",
    "wilson_rate",
]
