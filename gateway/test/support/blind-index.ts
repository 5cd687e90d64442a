import { createSecretKey } from 'node:crypto'
import { createBlindIndex, type BlindIndex } from '../../src/platform/encryption/blind-index.ts'

const index = createBlindIndex(createSecretKey(Buffer.alloc(32, 7)))

export const openTestBlindIndex = (): Promise<BlindIndex> => Promise.resolve(index)
