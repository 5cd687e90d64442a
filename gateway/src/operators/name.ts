/** The names of operators. Pure. */

/** `unknown` is the actor of whoever has proved nothing. */
export function isOperatorName(text: string): boolean {
  return text !== 'unknown' && /^[a-z0-9][a-z0-9._@-]{0,63}$/.test(text)
}
