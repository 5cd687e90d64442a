/** The programs of an installed artefact. Each kind (package, image, .deb) provides one. */
import type { Command } from '../../dev/processes.ts'

export interface InstalledArtefact {
  /** Returns a command of the gateway with these settings; callers append arguments. */
  postern(settings: NodeJS.ProcessEnv): Command
  /** The processes of the gateway, each with its own settings. */
  readonly processes: readonly GatewayProcess[]
  /** The simulated SMSC for a first message; callers append its ports. */
  readonly simulator: Command
  remove(): void
}

export interface GatewayProcess {
  readonly name: string
  command(settings: NodeJS.ProcessEnv): Command
  /** Exits with 0 when the process is ready; only images have one. */
  healthcheck?(settings: NodeJS.ProcessEnv): Command
}

/** Returns one process with the API and a worker. */
export function oneProcess(postern: (settings: NodeJS.ProcessEnv) => Command): readonly GatewayProcess[] {
  return [{ name: 'gateway', command: (settings) => [...postern(settings), 'all'] }]
}
