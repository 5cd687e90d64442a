/** Reads a password: asked for twice on a terminal, without showing it; otherwise the first line of standard input. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { FailedError, UsageError } from '../errors.ts'

const maxBytes = 1_000

export async function readPassword(name: string): Promise<string> {
  if (!process.stdin.isTTY) return readLine(process.stdin)
  const password = await ask(`New password of ${name}: `)
  if ((await ask('Again: ')) !== password)
    throw new FailedError('the two passwords differ; run the command again')
  return password
}

export async function readLine(input: AsyncIterable<Buffer | string>): Promise<string> {
  let text = ''
  for await (const chunk of input) {
    text += chunk.toString()
    if (text.length > maxBytes || text.includes('\n')) break
  }
  const [line = ''] = text.split(/\r?\n/, 1)
  if (line === '')
    throw new UsageError('there is no password on standard input; give it there, or use --generate')
  return line
}

async function ask(question: string): Promise<string> {
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
