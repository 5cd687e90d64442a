const maxLength = 200

/** Returns undefined for an empty, overlong or non-string value, so that an invalid address shows the unfiltered list. */
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
