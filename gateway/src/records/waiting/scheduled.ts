/**
 * Which waiting steps wait for the time that their client gave, and may be cancelled, and which must not be sent before a time. SQL of
 * `waiting`.
 *
 * A step that an operator holds keeps the time at which it would be released, and this may also be the time of a retry: a step that
 * was submitted before is not scheduled any more, because the carrier may have accepted some of its parts.
 */

/** A condition on a row `w` of `waiting`. */
export const scheduledSql = `(w.reason = 'scheduled' or coalesce(w.resume_at > now(), false)) and w.tries = 0
          and not exists (select from attempts a where a.msg_key = w.msg_key and a.step = w.step)`

/** Rules that hold a step until a time. Any other holds it until something is read, see `trust/until-read.ts`, or for an operator. */
const timedRules = ['account-stopped', 'advertisement-quiet-hours', 'advertisement-country-hours']

/** A condition on a row `w` of `waiting`: it must not be sent before a time, by the wish of the client or by a rule. */
export const timedSql = `(w.reason = 'scheduled'
          or (w.reason = 'rule' and w.rule in (${timedRules.map((rule) => `'${rule}'`).join(', ')})))`
