/** Jasmin as a client: it accepts messages over HTTP, and calls back with their receipts. */
import { waitFor } from '../../support/wait.ts'
import type { Client, ClientMessage } from './client-program.ts'
import { get, openCallbacks } from './http-client.ts'
import { jasminUser, startJasmin } from './jasmin.ts'
import { encode } from './texts.ts'

export async function openJasminClient(port: number, systemId: string, password: string): Promise<Client> {
  const ids = new Map<number, string>()
  const delivered = new Set<string>()
  // Jasmin repeats the callback until it gets this response.
  const callbacks = await openCallbacks((query) => {
    if (query.get('message_status') === 'DELIVRD') delivered.add(query.get('id') ?? '')
  }, 'ACK/Jasmin')
  const daemon = await startJasmin({ port, systemId, password })

  async function send({ n, to, dataCoding, octets }: Omit<ClientMessage, 'text'>): Promise<void> {
    const text = await get(`http://127.0.0.1:${daemon.httpPort}/send`, {
      username: jasminUser.name,
      password: jasminUser.password,
      from: '0234567890',
      to,
      coding: String(dataCoding),
      'hex-content': octets.toString('hex'),
      dlr: 'yes',
      'dlr-level': '2',
      'dlr-method': 'GET',
      'dlr-url': `http://127.0.0.1:${callbacks.port}/`,
    })
    ids.set(n, /^Success "([^"]+)"/.exec(text)?.[1] ?? '')
  }
  await waitFor('its HTTP interface', () =>
    get(`http://127.0.0.1:${daemon.httpPort}/ping`, {}).then(
      () => true,
      () => false,
    ),
  )
  return {
    bound: null,
    submit: send,
    submitLong: ({ n, to, text }) => send({ n, to, dataCoding: 0, octets: encode({ dataCoding: 0, text }) }),
    isDelivered: (n) => delivered.has(ids.get(n) ?? ''),
    statusOf: () => null,
    enquire: () => undefined,
    unbind: () => daemon.unbind(),
    async close() {
      await daemon.close()
      await callbacks.close()
    },
  }
}
