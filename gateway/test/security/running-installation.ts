/**
 * Opens an attack target that runs already, such as an installation with Compose: the attack uses its published
 * ports, and its engines for preparations and checks. The target has the settings that ship; those of the attack
 * do not apply.
 */
import type { Gateway } from '../support/processes/gateway.ts'
import { postern, type Environment } from '../support/processes/postern-command.ts'
import type { TestInstallation } from '../support/processes/test-installation.ts'

export type AttackedProcess = Pick<Gateway, 'url' | 'port' | 'untilReady' | 'stop'> & {
  readonly pid: number | undefined
}

export type AttackInstallation = Pick<
  TestInstallation,
  'environment' | 'databaseUrl' | 'directory' | 'putRoute' | 'unexpectedExits' | 'close'
> & { startGateway(...args: Parameters<TestInstallation['startGateway']>): Promise<AttackedProcess> }

export interface RunningTarget {
  /** Port of the API on this machine. */
  readonly port: number
  readonly pid: number
  /** URL for the owner of the tables. */
  readonly databaseUrl: string
  /** Environment of commands. */
  readonly environment: Environment
  /** Folder with the logs. */
  readonly directory: string
}

export async function openRunningInstallation(target: RunningTarget): Promise<AttackInstallation> {
  const { databaseUrl, environment, directory, port, pid } = target
  await postern(environment, 'trust', 'disable', 'all', '--reason', 'attacks')
  const running: AttackedProcess = {
    url: `http://127.0.0.1:${port}`,
    port,
    pid,
    untilReady: () => Promise.resolve(),
    stop: () => Promise.resolve(true),
  }
  return {
    environment,
    databaseUrl,
    directory,
    unexpectedExits: [],
    startGateway: () => Promise.resolve(running),
    async putRoute({ id, channels, protocol = 'sandbox', options = {} }) {
      const link = ['--protocol', protocol, '--options', JSON.stringify(options)]
      await postern(environment, 'route', 'put', id, '--channels', channels.join(','), ...link)
    },
    close: () => Promise.resolve([]),
  }
}
