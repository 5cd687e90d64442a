/** An error reduced to what is safe to store: name and code. The message may contain message text or phone numbers. */
export function summarizeError(error: unknown): string {
  const { name, code } = error as { readonly name?: string; readonly code?: string }
  return [name ?? typeof error, code].filter((part) => part !== undefined).join(' ')
}
