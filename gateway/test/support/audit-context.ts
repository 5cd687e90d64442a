import type { AuditContext } from '../../src/identity/audit/context.ts'

export function createTestAuditContext(by = 'kim', reason = 'test'): AuditContext {
  return { by, role: 'shell', reason, source: 'test', keyId: null, requestId: 'test' }
}
