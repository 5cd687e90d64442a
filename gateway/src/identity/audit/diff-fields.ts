/**
 * Returns the fields of `after` that differ from `before`, each with both values, for the details of an audit
 * row.
 */
export function diffFields(before: object, after: object): Record<string, { from: unknown; to: unknown }> {
  const values = before as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries(after)
      .filter(([name, to]) => JSON.stringify(values[name]) !== JSON.stringify(to))
      .map(([name, to]) => [name, { from: values[name], to: to as unknown }]),
  )
}
