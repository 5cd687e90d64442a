/** Reads a secret: asked for on a terminal, without showing it; otherwise the first line of standard input. Never from an argument. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { UsageError } from './errors.ts'

const maxBytes = 1_000

/** `what`: such as `the key of an operator`. */
export async function readSecret(question: string, what: string): Promise<string> {
  const missing = `there is no ${what.replace(/^the /, '')} on standard input; give it there, or run the command in a terminal`
  const secret = (process.stdin.isTTY ? await ask(question) : await readLine(process.stdin, missing)).trim()
  if (secret === '') throw new UsageError(`${what} is missing; run the command again and give it`)
  return secret
}

/** `missing`: the error for an empty line. */
export async function readLine(input: AsyncIterable<Buffer | string>, missing: string): Promise<string> {
  let text = ''
  for await (const chunk of input) {
    text += chunk.toString()
    if (text.length > maxBytes || text.includes('\n')) break
  }
  const [line = ''] = text.split(/\r?\n/, 1)
  if (line === '') throw new UsageError(missing)
  return line
}

export async function ask(question: string): Promise<string> {
  process.stderr.write(question)
  // Nothing of what is typed is written back.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const asking = createInterface({ input: process.stdin, output, terminal: true })
  try {
    return await asking.question('')
  } finally {
    asking.close()
    process.stderr.write('\n')
  }
}
