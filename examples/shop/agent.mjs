// The same agent in another language: the task on stdin, the messages on stdout, HTTP between.

const PROMPT =
  "You tell customers where their parcels are. Our own record is a day old: ask the carrier.";

let text = "";
for await (const chunk of process.stdin) text += chunk;
const task = JSON.parse(text);

async function post(url, body) {
  const headers = {
    "content-type": "application/json",
    authorization: `Bearer ${process.env.OPENAI_API_KEY}`,
  };
  return fetch(url, { method: "POST", headers, body });
}

async function runTool({ name, arguments: args }) {
  const reply = await post(`${process.env.FAIRTRIAL_TOOLS_URL}/${name}`, args);
  const { result, error } = await reply.json();
  return error ?? JSON.stringify(result);
}

const messages = [{ role: "system", content: PROMPT }, ...task.messages];
for (;;) {
  const request = { model: task.model.name ?? "gpt-5-mini", messages, tools: task.tools.openai };
  const url = `${process.env.OPENAI_BASE_URL}/chat/completions`;
  const reply = await post(url, JSON.stringify(request));
  if (!reply.ok) throw new Error(`the model answered ${reply.status}: ${await reply.text()}`);
  const { message } = (await reply.json()).choices[0];
  messages.push(message);
  if (!message.tool_calls?.length) break;
  for (const call of message.tool_calls)
    messages.push({ role: "tool", tool_call_id: call.id, content: await runTool(call.function) });
}
console.log(JSON.stringify(messages));
