/** Reads the body of a request within a limit. */
import type { IncomingMessage } from 'node:http'

/** The whole body, or undefined when it exceeds the limit; then the rest is not read. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return undefined
  const chunks: Buffer[] = []
  let size = 0
  const tooLarge = await new Promise<boolean>((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBytes) return void chunks.push(chunk)
      request.pause()
      resolve(true)
    })
    request.once('end', () => resolve(false))
    request.once('error', reject)
  })
  return tooLarge ? undefined : Buffer.concat(chunks)
}
