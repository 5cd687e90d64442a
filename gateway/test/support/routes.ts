/** Routes for tests, open to all accounts unless overridden. */
import { openRules, type Route } from '../../src/carriers/routes/route.ts'

export const testRoute = (id: string, overrides: Partial<Route> = {}): Route => ({
  ...openRules,
  id,
  channels: ['sms'],
  protocol: 'smpp',
  options: { host: '127.0.0.1' },
  priority: 100,
  partsPerSecond: 0,
  enabled: true,
  ...overrides,
})
