/**
 * Reads a secret from a prompt that does not show it, or from the first line of standard input, but never
 * from an argument.
 */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { UsageError } from './errors.ts'

/** Reading stops at this length even without a line break. */
const maxLength = 1_000

/** `secretName` is for errors, such as `the operator key`. */
export async function readSecret(question: string, secretName: string): Promise<string> {
  const missing = `no ${secretName.replace(/^the /, '')} on standard input; provide it, or run the command in a terminal`
  const secret = (
    process.stdin.isTTY ? await promptHidden(question) : await readLine(process.stdin, missing)
  ).trim()
  if (secret === '') throw new UsageError(`${secretName} is required; run the command again`)
  return secret
}

/** `missing` is the error for an empty line. */
export async function readLine(input: AsyncIterable<Buffer | string>, missing: string): Promise<string> {
  let text = ''
  for await (const chunk of input) {
    text += chunk.toString()
    if (text.length > maxLength || text.includes('\n')) break
  }
  const [line = ''] = text.split(/\r?\n/, 1)
  if (line === '') throw new UsageError(missing)
  return line
}

export async function promptHidden(question: string): Promise<string> {
  // Discards the echo of the typed characters.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  // The terminal stops its own echo here, so nothing that follows the question is shown.
  const prompt = createInterface({ input: process.stdin, output, terminal: true })
  process.stderr.write(question)
  try {
    return await prompt.question('')
  } finally {
    prompt.close()
    process.stderr.write('\n')
  }
}
