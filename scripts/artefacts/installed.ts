/** An artefact after its installation: how its programs are started. Each kind (package, image, .deb) makes one. */
import type { Command } from '../dev/processes.ts'

export interface Installed {
  /** A command of the gateway with these settings; arguments are added to it. */
  postern(settings: NodeJS.ProcessEnv): Command
  /** The processes of the gateway, each with the settings given to it. */
  readonly processes: readonly GatewayProcess[]
  /** The simulated SMSC, for a first message; its ports are added to it. */
  readonly simulator: Command
  remove(): void
}

export interface GatewayProcess {
  readonly name: string
  command(settings: NodeJS.ProcessEnv): Command
  /** Exits with 0 when the process is ready; only an image has one. */
  healthcheck?(settings: NodeJS.ProcessEnv): Command
}

/** The API and a worker in one process, by a command that is found in the same way. */
export function oneProcess(postern: (settings: NodeJS.ProcessEnv) => Command): readonly GatewayProcess[] {
  return [{ name: 'gateway', command: (settings) => [...postern(settings), 'all'] }]
}
