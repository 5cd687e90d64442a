/** Reads filters from an address: texts of a bounded length. Pure. */
const maxLength = 200

/** Undefined for what is empty, too long or not a text, so that a wrong address shows the list without the filter. */
export function readSearchText(given: unknown): string | undefined {
  // The router reads an address as JSON where it can: an id of digits alone is a number.
  const text = typeof given === 'number' ? String(given) : given
  return typeof text === 'string' && text.trim() !== '' && text.length <= maxLength ? text : undefined
}

export function readSearchChoice<const Value extends string>(
  given: unknown,
  values: readonly Value[],
): Value | undefined {
  return values.find((value) => value === given)
}
