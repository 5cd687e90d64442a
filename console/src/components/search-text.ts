const maxLength = 200

/** Returns undefined for an empty or overlong value, or one that is no text or number: the list is then not filtered. */
export function readSearchText(given: unknown): string | undefined {
  // The router parses values as JSON where it can: an ID of digits becomes a number.
  const text = typeof given === 'number' ? String(given) : given
  return typeof text === 'string' && text.trim() !== '' && text.length <= maxLength ? text : undefined
}

export function readSearchChoice<const Value extends string>(
  given: unknown,
  values: readonly Value[],
): Value | undefined {
  return values.find((value) => value === given)
}
