import { defineCommand } from '../shared/command-line.ts'
import type { OptionRow } from '../shared/command-line.ts'
import { httpRows } from '../shared/http-options.ts'
import { startMm7 } from '../mm7.ts'
import { behaviours } from '../mm7/behaviours.ts'
import { dialectNames } from '../mm7/dialect.ts'
import { defaults } from '../mm7/settings.ts'
import type { Mm7Options } from '../mm7/settings.ts'

const rows: readonly OptionRow<Mm7Options>[] = [
  { flag: 'dialect', name: 'dialect', type: 'text', values: dialectNames, help: 'MM7 dialect' },
  { flag: 'path', name: 'path', type: 'text', help: 'path of submissions (default: by dialect)' },
  {
    flag: 'report-url',
    name: 'reportUrl',
    type: 'text',
    help: 'URL for delivery reports (default: none sent)',
  },
  { flag: 'vasp-id', name: 'vaspId', type: 'text', help: 'required VASPID (default: any)' },
  { flag: 'vas-id', name: 'vasId', type: 'text', help: 'required VASID (default: any)' },
  { flag: 'partner-id', name: 'partnerId', type: 'text', help: 'required X-SKT-BPID or CPID (default: any)' },
  {
    flag: 'basic-auth',
    name: 'basicAuth',
    type: 'text',
    help: 'required user:password (default: no authentication)',
  },
  {
    flag: 'require-origin',
    name: 'requireOrigin',
    type: 'switch',
    help: 'refuse submissions without an origin code',
  },
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
    help: 'TransactionIDs kept to refuse duplicates (KT)',
  },
  ...httpRows,
]

export const mm7Command = defineCommand<Mm7Options>({
  name: 'mm7',
  about: [
    'A simulated MMSC speaking MM7: 3GPP TS 23.140 or the dialect of SKT, KT or LGU+. See simulator/docs/mm7.md.',
  ],
  rows,
  behaviours,
  defaults: { ...defaults, port: 2780, controlPort: 2781 },
  start: startMm7,
})
