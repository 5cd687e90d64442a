/** Masks what came from a variable or a file in a text that is shown. Pure. */

const mask = '***'
/** A shorter value is no secret, and masking it would change the rest of the text. */
const minLength = 4

/** `values`: longest first, so that none is masked in part. */
export function maskValues(text: string, values: readonly string[]): string {
  return values
    .filter((value) => value.length >= minLength)
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)])
    .reduce((shown, spelling) => shown.replaceAll(spelling, mask), text)
}
