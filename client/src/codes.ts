/** Entry `@postern/client/codes`, separate because of its size. */
import { codes, type CodeDescription } from './generated/codes.ts'

export type { CodeDescription }

/** Returns the description of a result or report code, or undefined if this version does not know it. */
export function describe(code: string): CodeDescription | undefined {
  return Object.hasOwn(codes, code) ? codes[code] : undefined
}
