/** Masks what came from a variable or a file in a request that is shown, wherever the options have it. Pure. */
import type { RequestPreview } from './kind.ts'
import { maskValues } from './mask-values.ts'

export function maskPreview(preview: RequestPreview, values: readonly string[]): RequestPreview {
  const masked = (text: string): string => maskValues(text, values)
  return {
    method: preview.method,
    url: masked(preview.url),
    headers: Object.fromEntries(
      Object.entries(preview.headers).map(([name, value]) => [name, masked(value)]),
    ),
    body: preview.body === null ? null : masked(preview.body),
  }
}
