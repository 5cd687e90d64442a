/** Masks what came from a variable or a file in a request that is shown, wherever the options have it. Pure. */
import type { RequestPreview } from './kind.ts'

const mask = '***'
/** A shorter value is no secret, and masking it would change the rest of the request. */
const minLength = 4

export function maskPreview(preview: RequestPreview, values: readonly string[]): RequestPreview {
  const spellings = values
    .filter((value) => value.length >= minLength)
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)])
  const masked = (text: string): string =>
    spellings.reduce((shown, spelling) => shown.replaceAll(spelling, mask), text)
  return {
    method: preview.method,
    url: masked(preview.url),
    headers: Object.fromEntries(
      Object.entries(preview.headers).map(([name, value]) => [name, masked(value)]),
    ),
    body: preview.body === null ? null : masked(preview.body),
  }
}
