/** A scripted carrier and a connector that is linked to it; both are closed when the test ends. */
import type { TestContext } from 'node:test'
import type { Connector } from '../../../src/carriers/connectors/connector.ts'
import type { Recorded } from './fixtures.ts'
import { recorded, testConnector } from './fixtures.ts'
import type { Peer, PeerSession, Script } from './peer.ts'
import { listen } from './peer.ts'
import { waitFor } from '../wait.ts'

export interface LinkedCarrier {
  readonly peer: Peer
  readonly connector: Connector
  readonly record: Recorded
  /** The first connection. */
  readonly session: PeerSession
}

export async function linkedCarrier(
  ...parameters: Parameters<typeof unlinkedCarrier>
): Promise<LinkedCarrier> {
  const carrier = await unlinkedCarrier(...parameters)
  await linked(carrier.connector)
  return { ...carrier, session: await carrier.peer.session() }
}

/** Does not wait for the link, for carriers that refuse the bind. */
export async function unlinkedCarrier(
  t: TestContext,
  script: Script | ((index: number) => Script) = {},
  options: object = {},
  record = recorded(),
): Promise<Omit<LinkedCarrier, 'session'>> {
  const peer = await listen(script)
  const connector = testConnector(peer.port, options, record)
  t.after(async () => {
    await connector.stop()
    await peer.close()
  })
  return { peer, connector, record }
}

export async function linked(connector: Connector): Promise<void> {
  await waitFor('the link', () => connector.linked)
}

export async function relinked({ peer, connector }: LinkedCarrier): Promise<void> {
  await waitFor('a new session', () => peer.sessions.length > 1 && connector.linked)
}

/** Accepts every submission. */
export const accept: Script = {
  submit_sm: (pdu, peer) => peer.send('submit_sm_resp', 0, pdu.sequence, { messageId: 'x' }),
}
