/** Messages of the accounts `relayed` and `plain` leave through the omni peer, except international ones. */
import assert from 'node:assert/strict'
import { createPeerReport, type OmniPeerRequest } from '../connector-conformance/omni-peer.ts'
import { waitFor } from '../../support/wait.ts'
import { assertAccepted, nextRecipient } from './api-assertions.ts'
import { getAccountClient, getConformanceInstallation } from './installation.ts'

export interface RelayedMessage {
  readonly channel: string
  /** Fields of the message in a single send or in a flow. */
  readonly content: Readonly<Record<string, unknown>>
  readonly ref: string
  readonly to: string
}

/** Sends and returns the msgKey. */
export async function sendRelayed(
  channel: string,
  body: object,
  account: 'relayed' | 'plain' = 'relayed',
): Promise<string> {
  const { msgKey, data } = (await assertAccepted(channel, body, await getAccountClient(account))).body
  return msgKey ?? data!.destinations![0]!.msgKey
}

/** Waits for the message at `index`, counted from 0, that the peer receives for this recipient. */
export async function waitForRelayed(to: string, index = 0): Promise<RelayedMessage> {
  const { peer } = await getConformanceInstallation()
  return waitFor(
    `message ${index + 1} to ${to} to leave`,
    () => peer.requests.map(parseSend).filter((message) => message?.to === to)[index],
    { timeoutMs: 20_000, everyMs: 50 },
  )
}

function parseSend({ path, body }: OmniPeerRequest): RelayedMessage | undefined {
  if (!path.startsWith('/v1/send/')) return undefined
  const { to, ref, ...content } = body as { to?: string; ref: string }
  if (to !== undefined) return { channel: path.split('/')[3]!, content, ref, to }
  const flow = body as unknown as {
    readonly destinations: readonly { readonly to: string }[]
    readonly messageFlow: readonly Readonly<Record<string, Readonly<Record<string, unknown>>>>[]
  }
  const [[channel, entry]] = Object.entries(flow.messageFlow[0]!) as [
    [string, Readonly<Record<string, unknown>>],
  ]
  return { channel, content: entry, ref, to: flow.destinations[0]!.to }
}

/** Reports a message as delivered; `fields` override the report. Resolves after the gateway acknowledged the report. */
export async function reportRelayed({ to, ref }: RelayedMessage, fields: object = {}): Promise<void> {
  const { peer } = await getConformanceInstallation()
  const { id } = peer.received.filter((one) => one.to === to).at(-1)!
  // `offer` returns false if the batch was not acknowledged: offer it again.
  while (!(await peer.offer([{ ...createPeerReport(id, ref, '10000'), ...fields }])));
}

/** Relays a flow of one message and returns the submitted content. */
export async function relay(channel: string, content: object): Promise<Readonly<Record<string, unknown>>> {
  const to = nextRecipient()
  await sendRelayed('omni', { destinations: [{ to }], messageFlow: [{ [channel]: content }] })
  const relayed = await waitForRelayed(to)
  await reportRelayed(relayed)
  assert.equal(relayed.channel, channel)
  return relayed.content
}
