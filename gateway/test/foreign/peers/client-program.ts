/** A third-party client: a small program that uses the library, reads commands and reports events. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { waitFor } from '../../support/wait.ts'

export interface ClientMessage {
  /** Number of the message in this run. */
  readonly n: number
  /** International number, digits only. */
  readonly to: string
  readonly text: string
  readonly dataCoding: number
  /** The encoded text, for clients that do not encode. */
  readonly octets: Buffer
}

export interface LongMessage extends Pick<ClientMessage, 'n' | 'to' | 'text'> {
  /** Parts with their headers, for clients that do not split texts. */
  readonly parts: readonly Buffer[]
}

export interface Client {
  /** Number of reported binds; null if it does not report them. */
  readonly bound: number | null
  submit(message: ClientMessage): Promise<void>
  submitLong(message: LongMessage): Promise<void>
  /** Reports whether the client reported all parts of the message as delivered. */
  isDelivered(n: number): boolean
  /** Returns the status of the submit_sm_resp; null if it does not report it. */
  statusOf(n: number): number | null
  /** Sends enquire_link, for clients that do not do so automatically. */
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
const unbindWithinMs = 20_000

/** Resolves when the client has bound. `args` are followed by port, system_id and password. */
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
    // Libraries print other lines.
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
  const sendCommand = (...words: readonly (string | number)[]): Promise<void> => {
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
      sendCommand('submit', n, to, dataCoding, octets.toString('hex'), hex(text)),
    submitLong: ({ n, to, text, parts }) =>
      sendCommand('long', n, to, hex(text), ...parts.map((part) => part.toString('hex'))),
    isDelivered: (n) =>
      delivered.has(n) || (ids.has(n) && ids.get(n)!.every((id) => id !== '' && deliveredIds.has(id))),
    statusOf: (n) => statuses.get(n) ?? null,
    enquire: () => void sendCommand('enquire'),
    async unbind() {
      await sendCommand('unbind')
      await waitFor(`${command} to unbind`, () => unbound || ended, { timeoutMs: unbindWithinMs })
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
