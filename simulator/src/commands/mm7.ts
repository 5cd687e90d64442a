/** The command `mm7`: its options, and how it starts. */
import { defineCommand } from '../shared/command-line.ts'
import type { OptionRow } from '../shared/command-line.ts'
import { httpRows } from '../shared/http-options.ts'
import { startMm7 } from '../mm7.ts'
import { dialectNames } from '../mm7/dialect.ts'
import { defaults } from '../mm7/settings.ts'
import type { Mm7Options } from '../mm7/settings.ts'

const rows: readonly OptionRow<Mm7Options>[] = [
  { flag: 'dialect', name: 'dialect', type: 'text', values: dialectNames, help: 'whose MM7' },
  { flag: 'path', name: 'path', type: 'text', help: 'where submissions are posted (default: by dialect)' },
  {
    flag: 'report-url',
    name: 'reportUrl',
    type: 'text',
    help: 'where delivery reports go (default: none sent)',
  },
  { flag: 'vasp-id', name: 'vaspId', type: 'text', help: 'the VASPID clients must send (default: any)' },
  { flag: 'vas-id', name: 'vasId', type: 'text', help: 'the VASID clients must send (default: any)' },
  { flag: 'partner-id', name: 'partnerId', type: 'text', help: 'the X-SKT-BPID or CPID (default: any)' },
  {
    flag: 'basic-auth',
    name: 'basicAuth',
    type: 'text',
    help: 'user:password over HTTP (default: not asked for)',
  },
  { flag: 'require-origin', name: 'requireOrigin', type: 'switch', help: 'refuse without an origin code' },
  { flag: 'max-image-bytes', name: 'maxImageBytes', type: 'number', min: 1, help: 'largest image' },
  {
    flag: 'lgu-success',
    name: 'lguSuccess',
    type: 'text',
    values: ['1000', 'Retrieved'],
    help: 'MMStatus of LGU+ on success',
  },
  {
    flag: 'remember-transactions',
    name: 'rememberTransactions',
    type: 'number',
    help: 'TransactionIDs that KT refuses the second time',
  },
  ...httpRows,
]

export const mm7Command = defineCommand<Mm7Options>({
  name: 'mm7',
  about: [
    'A simulated MMSC speaking MM7: 3GPP TS 23.140 or the dialect of SKT, KT or LGU+. What happens to a message is',
    'chosen by the last four digits of its recipient: see simulator/README.md.',
  ],
  rows,
  defaults: { ...defaults, port: 2780, controlPort: 2781 },
  start: startMm7,
})
