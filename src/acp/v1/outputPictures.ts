import type { ContentBlock, ToolCallContent } from '../../shared/transcript/content';
import { asObject, asString } from '../../shared/values/decodeValue';
import { decodeContentBlock } from '../decode/decodeContent';

type Media = Extract<ContentBlock, { type: 'image' | 'audio' }>;

/** Where Copilot puts what it shows to its model. */
const key = 'binaryResultsForLlm';

/** A call's raw output, and the images and audio that were in it. */
export interface SplitOutput {
  readonly rawOutput: unknown;
  readonly media: readonly Media[];
}

/** Takes images and audio out of a call's raw output, so that they are shown as such and not as text. */
export function splitOutput(rawOutput: unknown): SplitOutput {
  const { [key]: results, ...output } = asObject(rawOutput) ?? {};
  if (!Array.isArray(results)) return { rawOutput, media: [] };
  const media = results.map(mediaOf);
  const rest = results.filter((_, at) => media[at] === undefined);
  return {
    rawOutput: rest.length > 0 ? { ...output, [key]: rest } : Object.keys(output).length > 0 ? output : undefined,
    media: media.filter((one) => one !== undefined),
  };
}

/** Returns those that a call's content doesn't have. */
export function unseen(media: readonly Media[], content: readonly ToolCallContent[]): readonly Media[] {
  const seen = new Set(content.flatMap((item) => (item.type === 'content' ? dataOf(item.content) : [])));
  return media.filter(({ data }) => !seen.has(data));
}

function mediaOf(value: unknown): Media | undefined {
  const result = asObject(value);
  const [kind = ''] = asString(result?.['mimeType'])?.split('/') ?? [];
  const block = kind === 'image' || kind === 'audio' ? decodeContentBlock({ ...result, type: kind }) : undefined;
  return block?.type === 'image' || block?.type === 'audio' ? block : undefined;
}

function dataOf(block: ContentBlock): string[] {
  return block.type === 'image' || block.type === 'audio' ? [block.data] : [];
}
