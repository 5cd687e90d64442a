/** A client that we did not write: a small program on the library of others that reads commands and reports what happens. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { waitFor } from '../support/wait.ts'

export interface ClientMessage {
  /** Of the message, in this run. */
  readonly n: number
  /** International, digits only. */
  readonly to: string
  readonly text: string
  readonly dataCoding: number
  /** The text encoded, for clients that do not encode themselves. */
  readonly octets: Buffer
}

export interface LongMessage extends Pick<ClientMessage, 'n' | 'to' | 'text'> {
  /** With their headers, for clients that do not split texts themselves. */
  readonly parts: readonly Buffer[]
}

export interface Client {
  /** Times that it says it has bound; null: it does not say. */
  readonly bound: number | null
  submit(message: ClientMessage): Promise<void>
  submitLong(message: LongMessage): Promise<void>
  /** Whether it knows that the message, all of its parts, was delivered. */
  isDelivered(n: number): boolean
  /** The status that its submit was answered with; null: it does not say. */
  statusOf(n: number): number | null
  /** Makes it send enquire_link, where it does not do so by itself. */
  enquire(): void
  /** Resolves when it has unbound. */
  unbind(): Promise<void>
  close(): Promise<void>
}

interface Report {
  readonly event: string
  readonly n?: number
  readonly status?: number
  readonly id?: string
  readonly octets?: string
}

const bindWithinMs = 180_000
const leaveWithinMs = 20_000

/** `args` are followed by port, system_id and password. Resolves when it has bound. */
export async function openClientProgram(
  command: string,
  args: readonly string[],
  [port, systemId, password]: readonly [number, string, string],
): Promise<Client> {
  const ids = new Map<number, string[]>()
  const statuses = new Map<number, number>()
  const deliveredIds = new Set<string>()
  const delivered = new Set<number>()
  let [bound, unbound, ended, errors] = [0, false, false, '']

  const child = spawn(command, [...args, String(port), systemId, password], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.on('error', (error) => (errors += error.message))
  child.on('close', () => (ended = true))
  child.stdin.on('error', () => undefined)
  child.stderr.on('data', (chunk: Buffer) => (errors = `${errors}${chunk.toString()}`.slice(-2_000)))
  createInterface(child.stdout).on('line', (line) => {
    // Libraries print lines of their own.
    if (line.startsWith('{')) note(JSON.parse(line) as Report)
  })

  function note({ event, n = 0, status = 0, id = '', octets = '' }: Report): void {
    if (event === 'bound') bound += 1
    if (event === 'unbound') unbound = true
    if (event === 'delivered') delivered.add(n)
    if (event === 'answer') {
      statuses.set(n, Math.max(status, statuses.get(n) ?? 0))
      ids.set(n, [...(ids.get(n) ?? []), id])
    }
    if (event === 'receipt') {
      const [, receiptId] =
        /^id:(\S+) .* stat:DELIVRD /.exec(Buffer.from(octets, 'hex').toString('latin1')) ?? []
      if (receiptId !== undefined) deliveredIds.add(receiptId)
    }
  }
  const tell = (...words: readonly (string | number)[]): Promise<void> => {
    child.stdin.write(`${words.join(' ')}\n`)
    return Promise.resolve()
  }
  const hex = (text: string): string => Buffer.from(text).toString('hex')
  const failed = (): Error => new Error(`${command} ended: ${errors}`)

  await waitFor(`${command} to bind`, () => bound > 0 || ended, { timeoutMs: bindWithinMs })
  if (ended) throw failed()
  return {
    get bound() {
      return bound
    },
    submit: ({ n, to, text, dataCoding, octets }) =>
      tell('submit', n, to, dataCoding, octets.toString('hex'), hex(text)),
    submitLong: ({ n, to, text, parts }) =>
      tell('long', n, to, hex(text), ...parts.map((part) => part.toString('hex'))),
    isDelivered: (n) =>
      delivered.has(n) || (ids.has(n) && ids.get(n)!.every((id) => id !== '' && deliveredIds.has(id))),
    statusOf: (n) => statuses.get(n) ?? null,
    enquire: () => void tell('enquire'),
    async unbind() {
      await tell('unbind')
      await waitFor(`${command} to unbind`, () => unbound || ended, { timeoutMs: leaveWithinMs })
      if (!unbound) throw failed()
    },
    async close() {
      if (ended) return
      const closed = once(child, 'close')
      child.kill('SIGKILL')
      await closed
    },
  }
}
