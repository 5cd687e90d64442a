/** Messages of the account `relayed` as they left the gateway, and the reports that the service answers them with. */
import { reportOf, type PeerRequest } from '../connector-conformance/omni-peer.ts'
import { waitFor } from '../support/wait.ts'
import { accepts } from './api-assertions.ts'
import { account, conformanceInstallation } from './installation.ts'

export interface RelayedMessage {
  readonly channel: string
  /** The fields of the message, in a simple send or in a flow. */
  readonly content: Readonly<Record<string, unknown>>
  readonly ref: string
  readonly to: string
}

/** Sends as the account. Returns the msgKey. */
export async function relay(channel: string, body: object): Promise<string> {
  const { msgKey, data } = (await accepts(channel, body, await account('relayed'))).body
  return msgKey ?? data!.destinations![0]!.msgKey
}

/** The nth message that reached the service for this recipient. */
export async function relayedTo(to: string, nth = 0): Promise<RelayedMessage> {
  const { peer } = await conformanceInstallation()
  return waitFor(
    `message ${nth + 1} to ${to} to leave`,
    () => peer.requests.map(read).filter((message) => message?.to === to)[nth],
    { timeoutMs: 20_000, everyMs: 50 },
  )
}

function read({ path, body }: PeerRequest): RelayedMessage | undefined {
  if (!path.startsWith('/v1/send/')) return undefined
  const { to, ref, ...simple } = body as { to?: string; ref: string }
  if (to !== undefined) return { channel: path.split('/')[3]!, content: simple, ref, to }
  const flow = body as unknown as {
    readonly destinations: readonly { readonly to: string }[]
    readonly messageFlow: readonly Readonly<Record<string, Readonly<Record<string, unknown>>>>[]
  }
  const [[channel, content]] = Object.entries(flow.messageFlow[0]!) as [
    [string, Readonly<Record<string, unknown>>],
  ]
  return { channel, content, ref, to: flow.destinations[0]!.to }
}

/** Reports a message: delivered unless `fields` say otherwise. Resolves when the gateway has taken the report. */
export async function reportRelayed({ to, ref }: RelayedMessage, fields: object = {}): Promise<void> {
  const { peer } = await conformanceInstallation()
  const { id } = peer.received.filter((one) => one.to === to).at(-1)!
  // A batch that was read twice is not offered again.
  while (!(await peer.offer([{ ...reportOf(id, ref, '10000'), ...fields }])));
}
