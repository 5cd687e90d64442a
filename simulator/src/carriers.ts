import { kakaoCommand } from './commands/kakao.ts'
import { maapCommand } from './commands/maap.ts'
import { mm7Command } from './commands/mm7.ts'
import { msghubCommand } from './commands/msghub.ts'
import { nhnCommand } from './commands/nhn.ts'
import { rbmCommand } from './commands/rbm.ts'
import { sensCommand } from './commands/sens.ts'
import type { Command } from './shared/command-line.ts'
import { smscCommand } from './commands/smsc.ts'
import { solapiCommand } from './commands/solapi.ts'

export const carriers: readonly Command[] = [
  smscCommand,
  mm7Command,
  kakaoCommand,
  maapCommand,
  rbmCommand,
  solapiCommand,
  msghubCommand,
  nhnCommand,
  sensCommand,
]
