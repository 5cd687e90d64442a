/** The rules of this project for `.oxlintrc.json`. */
import { expiry } from './expiry.ts'
import { importOrder } from './import-order.ts'
import { environment, hostClock } from './process-state.ts'

export default {
  meta: { name: 'postern' },
  rules: { 'import-order': importOrder, environment, 'host-clock': hostClock, expiry },
}
