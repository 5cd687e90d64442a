/** The request that `postern demo` prints works with all rules of a new installation. */
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { postern } from '../../../test/support/processes/postern-command.ts'
import { TestInstallation } from '../../../test/support/processes/test-installation.ts'
import { waitFor } from '../../../test/support/wait.ts'

const run = promisify(execFile)

test('the printed commands send a message and read its report', async () => {
  const installation = await TestInstallation.open({}, {}, { keepsRules: true })
  let passed = false
  try {
    const gateway = await installation.startGateway('all', 'gateway')
    await gateway.untilReady()
    const { port } = new URL(gateway.url)
    const printed = await postern({ ...installation.environment, POSTERN_HTTP_PORT: port }, 'demo')
    const [settings, send, report] = printed.match(/^ {2}(?:export|curl)(?:\\\n|[^\n])*/gm)!
    const shell = async (command: string): Promise<string> =>
      (await run('bash', ['-c', `${settings}\n${command}`])).stdout
    // The processes load the new account and its route within two seconds.
    await waitFor('the first request', async () => (await shell(send!)).includes('"code":"A000"'))
    await waitFor('its report', async () => (await shell(report!)).includes('"reportCode":"10000"'))
    passed = true
  } finally {
    await installation.close(!passed)
  }
})
