/** The programs of an installed artefact. Each kind (package, .deb) provides one. */
import type { Command } from '../../dev/processes.ts'

export interface InstalledArtefact {
  /** Returns a command of the gateway with these settings; callers append arguments. */
  postern(settings: NodeJS.ProcessEnv): Command
  /** The simulated SMSC for a first message; callers append its ports. */
  readonly simulator: Command
  remove(): void
}
