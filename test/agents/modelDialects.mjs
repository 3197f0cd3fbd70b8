// @ts-check
import { randomUUID } from 'node:crypto';

/**
 * @typedef {import('./modelServer.mjs').ModelStep} ModelStep
 * @typedef {import('./modelServer.mjs').ModelRequest} ModelRequest
 * @typedef {import('node:http').ServerResponse} ServerResponse
 */

/** @param {string} text */
const words = (text) => text.match(/\s*\S+\s*/g) ?? [];

/** What a step says it cost. @param {ModelStep} step */
const costOf = ({ tokens }) => ({ input: 42, cached: 0, output: 7, ...tokens });

/** @param {ServerResponse} response */
function startStream(response) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
}

/** Matches the reminders and context that agents add to the user's text. */
const wrapping = /<(system-reminder|session_context|environment_context)>[\s\S]*?<\/\1>/g;

/** https://docs.anthropic.com/en/api/messages-streaming */
export const anthropic = {
  /** @param {string} path */
  serves: (path) => path.startsWith('/v1/messages'),
  /** @param {string} path */
  side: (path) => (path.endsWith('/count_tokens') ? { input_tokens: 42 } : undefined),
  /** @param {any} body @returns {ModelRequest} */
  read(body) {
    let prompt = '';
    let rounds = 0;
    let result = '';
    for (const message of body.messages ?? []) {
      if (message.role !== 'user') continue;
      const blocks = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
      const text = blocks
        .filter((/** @type {any} */ block) => block.type === 'text')
        .map((/** @type {any} */ block) => block.text)
        .join('\n')
        .replace(wrapping, '')
        .trim();
      const results = blocks.filter((/** @type {any} */ block) => block.type === 'tool_result');
      // The results may include a message that the user sent in the meantime.
      if (results.length > 0) [rounds, result] = [rounds + 1, `${JSON.stringify(results)}${text}`];
      else if (text !== '') [prompt, rounds] = [text, 0];
    }
    return { prompt, rounds, result, tools: (body.tools ?? []).map((/** @type {any} */ tool) => tool.name) };
  },
  /** @param {ModelStep} step @param {any} body @param {string} _path @param {ServerResponse} response */
  write(step, body, _path, response) {
    const { input, cached, output } = costOf(step);
    const usage = {
      input_tokens: input - cached,
      cache_read_input_tokens: cached,
      cache_creation_input_tokens: 0,
      output_tokens: output,
    };
    const message = {
      id: `msg_${randomUUID()}`,
      type: 'message',
      role: 'assistant',
      model: body.model,
      content: [],
      usage,
    };
    const calls = step.calls ?? [];
    const stop = calls.length > 0 ? 'tool_use' : 'end_turn';
    if (!body.stream) {
      const content = [
        ...(step.text === undefined ? [] : [{ type: 'text', text: step.text }]),
        ...calls.map((call) => ({ type: 'tool_use', id: `toolu_${randomUUID()}`, name: call.name, input: call.input })),
      ];
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ...message, content, stop_reason: stop, stop_sequence: null }));
      return;
    }
    startStream(response);
    /** @param {string} type @param {object} data */
    const send = (type, data) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
    send('message_start', { message: { ...message, stop_reason: null, stop_sequence: null } });
    let index = 0;
    if (step.text !== undefined) {
      send('content_block_start', { index, content_block: { type: 'text', text: '' } });
      for (const text of words(step.text)) send('content_block_delta', { index, delta: { type: 'text_delta', text } });
      send('content_block_stop', { index });
      index += 1;
    }
    for (const call of calls) {
      const block = { type: 'tool_use', id: `toolu_${randomUUID().replaceAll('-', '')}`, name: call.name, input: {} };
      send('content_block_start', { index, content_block: block });
      const partial_json = JSON.stringify(call.input);
      send('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json } });
      send('content_block_stop', { index });
      index += 1;
    }
    send('message_delta', { delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: output } });
    send('message_stop', {});
    response.end();
  },
};

/** https://ai.google.dev/api/generate-content */
export const gemini = {
  /** @param {string} path */
  serves: (path) => path.startsWith('/v1beta/') || path.startsWith('/v1/models/'),
  /** @param {string} path */
  side: (path) => (path.endsWith(':countTokens') ? { totalTokens: 42 } : undefined),
  /** @param {any} body @returns {ModelRequest} */
  read(body) {
    let prompt = '';
    let rounds = 0;
    let result = '';
    for (const content of body.contents ?? []) {
      if (content.role !== 'user') continue;
      const parts = content.parts ?? [];
      const text = parts
        .map((/** @type {any} */ part) => part.text ?? '')
        .join('\n')
        .replace(wrapping, '')
        .trim();
      const results = parts.filter((/** @type {any} */ part) => part.functionResponse);
      if (results.length > 0) [rounds, result] = [rounds + 1, JSON.stringify(results)];
      else if (text !== '') [prompt, rounds] = [text, 0];
    }
    const declarations = (body.tools ?? []).flatMap((/** @type {any} */ tool) => tool.functionDeclarations ?? []);
    return { prompt, rounds, result, tools: declarations.map((/** @type {any} */ tool) => tool.name) };
  },
  /** @param {ModelStep} step @param {any} body @param {string} path @param {ServerResponse} response */
  write(step, body, path, response) {
    const json = body.generationConfig?.responseMimeType === 'application/json';
    const parts = [
      ...(step.text === undefined ? [] : words(json ? '{}' : step.text).map((text) => ({ text }))),
      ...(step.calls ?? []).map((call) => ({ functionCall: { name: call.name, args: call.input } })),
    ];
    const { input, cached, output } = costOf(step);
    const usageMetadata = {
      promptTokenCount: input,
      cachedContentTokenCount: cached,
      candidatesTokenCount: output,
      totalTokenCount: input + output,
    };
    /** @param {object[]} some @param {boolean} last */
    const chunk = (some, last) => ({
      candidates: [{ content: { role: 'model', parts: some }, index: 0, ...(last && { finishReason: 'STOP' }) }],
      usageMetadata,
      modelVersion: 'scripted',
    });
    if (!path.includes(':streamGenerateContent')) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(chunk(parts, true)));
      return;
    }
    startStream(response);
    parts.forEach((part, at) => {
      response.write(`data: ${JSON.stringify(chunk([part], at === parts.length - 1))}\n\n`);
    });
    response.end();
  },
};

/** https://platform.openai.com/docs/api-reference/chat-streaming */
export const openai = {
  /** @param {string} path */
  serves: (path) => path.endsWith('/chat/completions'),
  /** @type {(path: string) => object | undefined} */
  side: () => undefined,
  /** @param {any} body @returns {ModelRequest} */
  read(body) {
    let prompt = '';
    let rounds = 0;
    let result = '';
    let inRound = false;
    for (const message of body.messages ?? []) {
      if (message.role === 'tool') {
        if (!inRound) rounds += 1;
        inRound = true;
        result = JSON.stringify(message.content);
        continue;
      }
      inRound = false;
      if (message.role !== 'user') continue;
      const blocks = typeof message.content === 'string' ? [{ text: message.content }] : (message.content ?? []);
      const text = blocks
        .map((/** @type {any} */ block) => block.text ?? '')
        .join('\n')
        .replace(wrapping, '')
        .trim();
      if (text !== '') [prompt, rounds] = [text, 0];
    }
    return {
      prompt,
      rounds,
      result,
      tools: (body.tools ?? []).map((/** @type {any} */ tool) => tool.function?.name ?? ''),
    };
  },
  /** @param {ModelStep} step @param {any} body @param {string} _path @param {ServerResponse} response */
  write(step, body, _path, response) {
    const id = `chatcmpl-${randomUUID()}`;
    const tool_calls = (step.calls ?? []).map((call, index) => ({
      index,
      id: `call_${randomUUID()}`,
      type: 'function',
      function: { name: call.name, arguments: JSON.stringify(call.input) },
    }));
    const finish_reason = tool_calls.length > 0 ? 'tool_calls' : 'stop';
    const { input, cached, output } = costOf(step);
    const usage = {
      prompt_tokens: input,
      prompt_tokens_details: { cached_tokens: cached },
      completion_tokens: output,
      total_tokens: input + output,
    };
    if (!body.stream) {
      const message = { role: 'assistant', content: step.text ?? null, ...(tool_calls.length > 0 && { tool_calls }) };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ id, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage }),
      );
      return;
    }
    startStream(response);
    /** @param {object} delta @param {string | null} finish */
    const send = (delta, finish) => {
      const choices = [{ index: 0, delta, finish_reason: finish }];
      response.write(
        `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', model: body.model, choices })}\n\n`,
      );
    };
    send({ role: 'assistant', content: '' }, null);
    for (const content of words(step.text ?? '')) send({ content }, null);
    for (const call of tool_calls) send({ tool_calls: [call] }, null);
    send({}, finish_reason);
    const last = { id, object: 'chat.completion.chunk', model: body.model, choices: [], usage };
    response.write(`data: ${JSON.stringify(last)}\n\ndata: [DONE]\n\n`);
    response.end();
  },
};

/** https://platform.openai.com/docs/api-reference/responses-streaming */
export const responses = {
  /** @param {string} path */
  serves: (path) => path.endsWith('/responses'),
  /** @type {(path: string) => object | undefined} */
  side: () => undefined,
  /** @param {any} body @returns {ModelRequest} */
  read(body) {
    let prompt = '';
    let rounds = 0;
    let result = '';
    let inRound = false;
    for (const item of body.input ?? []) {
      if (/_call_output$/.test(item.type ?? '')) {
        if (!inRound) rounds += 1;
        inRound = true;
        result = JSON.stringify(item.output);
        continue;
      }
      inRound = false;
      if (item.role !== 'user') continue;
      const text = (item.content ?? [])
        .map((/** @type {any} */ block) => block.text ?? '')
        .join('\n')
        .replace(wrapping, '')
        .trim();
      if (text !== '') [prompt, rounds] = [text, 0];
    }
    return { prompt, rounds, result, tools: (body.tools ?? []).map((/** @type {any} */ tool) => tool.name ?? '') };
  },
  /** @param {ModelStep} step @param {any} body @param {string} _path @param {ServerResponse} response */
  write(step, body, _path, response) {
    const freeForm = new Set(
      (body.tools ?? [])
        .filter((/** @type {any} */ tool) => tool.type === 'custom')
        .map((/** @type {any} */ tool) => tool.name),
    );
    startStream(response);
    /** @param {string} type @param {object} data */
    const send = (type, data) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
    const id = `resp_${randomUUID()}`;
    send('response.created', { response: { id } });
    if (step.text !== undefined) {
      const item = { type: 'message', id: `msg_${randomUUID()}`, role: 'assistant' };
      send('response.output_item.added', { item: { ...item, content: [] } });
      for (const delta of words(step.text)) send('response.output_text.delta', { item_id: item.id, delta });
      send('response.output_item.done', { item: { ...item, content: [{ type: 'output_text', text: step.text }] } });
    }
    for (const { name, input, namespace } of step.calls ?? []) {
      const call_id = `call_${randomUUID()}`;
      const item = freeForm.has(name)
        ? { type: 'custom_tool_call', call_id, name, input: input['input'] }
        : { type: 'function_call', call_id, name, ...(namespace && { namespace }), arguments: JSON.stringify(input) };
      send('response.output_item.done', { item });
    }
    const { input, cached, output } = costOf(step);
    const usage = {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: output,
      total_tokens: input + output,
    };
    send('response.completed', { response: { id, usage } });
    response.end();
  },
};
