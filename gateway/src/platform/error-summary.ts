/** A fault in words that are safe to store: its name and code. Its message may quote what a person wrote. */
export function summarizeError(error: unknown): string {
  const { name, code } = error as { readonly name?: string; readonly code?: string }
  return [name ?? typeof error, code].filter((word) => word !== undefined).join(' ')
}
