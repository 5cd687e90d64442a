/** An act for tests that call what the commands call. */
import type { Act } from '../../src/audit/act.ts'

export function testAct(by = 'kim', reason = 'test'): Act {
  return { by, role: 'shell', reason, source: 'test', keyId: null, requestId: 'test' }
}
