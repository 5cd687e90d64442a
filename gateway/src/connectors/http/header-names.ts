/** Headers that a profile may not write: those of the host and of the connection. Pure. */

const ownNames: ReadonlySet<string> = new Set([
  ...['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'expect', 'te', 'trailer'],
  'keep-alive',
])

/** Throws an error that begins with the path. A front end that serves several hosts chooses by the header, not by the address. */
export function requireFreeHeader(name: string, path: string): void {
  const lower = name.toLowerCase()
  if (ownNames.has(lower) || lower.startsWith('proxy-'))
    throw new Error(
      `${path} must have another name: the gateway writes the headers of the connection itself, and the host is that of send.url`,
    )
}
