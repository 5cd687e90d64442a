/**
 * `node gateway/test/security/unbound-smpp.ts`: ten addresses hold as many SMPP connections as they get, without binding,
 * while the server restarts and its clients bind again. A customer that has bound from its address before must bind.
 */
import { connect, type Socket } from 'node:net'
import { statuses } from '../../src/carriers/smpp/status.ts'
import { choosePort } from '../../../tools/engines/free-ports.ts'
import { createAccount, postern } from '../support/processes/postern-command.ts'
import { SmppClient } from '../support/smpp/client.ts'
import { openShippedInstallation } from './attack.ts'
import { runAttack } from './outcome.ts'

const addresses = 10
/** More than the server admits from one address. */
const perAddress = 30
const customerAddress = '127.0.1.1'
const binds = 5

await runAttack(async () => {
  const installation = await openShippedInstallation()
  const findings: string[] = []
  const sockets: Socket[] = []
  try {
    const { environment } = installation
    const { clientId } = await createAccount(environment, 'customer', '--smpp-binds', String(binds + 1))
    const add = ['account', 'key', 'add', clientId, '--name', 'smpp', '--smpp', '--json']
    const { key } = JSON.parse(await postern(environment, ...add)) as { key: string }
    const port = await choosePort()
    const start = async (name: string) => {
      const server = await installation.startGateway('smpp-server', name, {
        POSTERN_SMPP_SERVER_PORT: String(port),
        // Clients connect without a proxy here.
        POSTERN_SMPP_SERVER_PROXY_PROTOCOL: 'no',
      })
      await server.untilReady(60_000)
      return server
    }
    const bind = async (): Promise<SmppClient> => {
      const client = await SmppClient.connect(port, { localAddress: customerAddress })
      const status = await client.bind(clientId, key)
      if (status !== statuses.ESME_ROK) findings.push(`a bind of the customer got status ${status}`)
      return client
    }
    const before = await start('smpp-before')
    const first = await bind()
    // Stopping stores from where the customer has bound.
    await first.close()
    await before.stop()
    await start('smpp')
    for (let n = 0; n < addresses * perAddress; n++) {
      const socket = connect({ host: '127.0.0.1', port, localAddress: `127.0.2.${1 + (n % addresses)}` })
      socket.on('error', () => undefined).resume()
      sockets.push(socket)
      await new Promise((resolve) => socket.once('connect', resolve).once('error', resolve))
    }
    const began = performance.now()
    for (let n = 0; n < binds; n++) {
      try {
        await bind()
      } catch (error) {
        findings.push(`bind ${n + 1} of the customer failed: ${(error as Error).message}`)
      }
    }
    const ms = performance.now() - began
    const held = sockets.filter(({ closed }) => !closed).length
    return {
      findings,
      figures: [
        `${addresses} addresses hold ${held} of ${sockets.length} connections`,
        `${binds} binds of a known customer took ${ms.toFixed(0)} ms`,
      ],
    }
  } finally {
    for (const socket of sockets) socket.destroy()
    await installation.close(findings.length > 0)
  }
})
