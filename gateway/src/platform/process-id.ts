/**
 * Names this process in its log lines, its rows and reports: what `postern ledger` or the table of workers
 * says about a process is found in the logs under the same name. Random at each start: two runs are never taken for one.
 */
import { randomBytes } from 'node:crypto'

export const processId = randomBytes(6).toString('hex')
