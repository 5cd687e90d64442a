import type { Data } from '../../../api/call.ts'

/** As the admin API lists it. */
export type Rule = Data<'listRules'>['rules'][number]
