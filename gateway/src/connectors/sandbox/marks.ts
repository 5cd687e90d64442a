/**
 * How submissions over the sandbox are recognized in stored attempts: by the ids and codes that only it gives. A route that had another
 * protocol when a message was sent has no such attempts. Pure.
 */
export const idPrefix = 'sandbox-'
export const codePrefix = 'sandbox:'
