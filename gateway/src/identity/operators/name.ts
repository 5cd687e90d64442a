/**
 * Reports whether a text is a valid operator name. `unknown` is the actor of requests without a valid proof.
 */
export function isOperatorName(text: string): boolean {
  return text !== 'unknown' && /^[a-z0-9][a-z0-9._@-]{0,63}$/.test(text)
}
