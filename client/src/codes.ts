/** The optional entry `@postern/client/codes`: explains result codes and report codes. */
import { codes, type CodeDescription } from './generated/codes.ts'

export type { CodeDescription }

/** Returns undefined if the code is unknown to this version of the client. */
export function describe(code: string): CodeDescription | undefined {
  return Object.hasOwn(codes, code) ? codes[code] : undefined
}
