/** Names this process in its log lines and its rows. It is random, so that two runs are never taken for one. */
import { randomBytes } from 'node:crypto'

export const processId = randomBytes(6).toString('hex')
