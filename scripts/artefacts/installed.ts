/** An artefact after its installation: how its programs are started. Each kind (package, image, .deb) makes one. */
import type { Command } from '../dev/processes.ts'

export interface Installed {
  /** The gateway with these settings; arguments are added to it. */
  postern(settings: NodeJS.ProcessEnv): Command
  /** The carrier simulator, for a first message. */
  readonly simulator: Command
  remove(): void
}
