/** The carriers that the command can start, by name. */
import type { Command } from './shared/command-line.ts'
import { smscCommand } from './commands/smsc.ts'

export const carriers: readonly Command[] = [smscCommand]
