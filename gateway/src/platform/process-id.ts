/** Names this process in log lines and rows. The id is random, so that two runs never share one. */
import { randomBytes } from 'node:crypto'

export const processId = randomBytes(6).toString('hex')
