// Zod tries whether it may compile code, which the Content-Security-Policy forbids and reports, unless told not to.
// It tries when the first schema is made, so this module comes before those of the contract. Its `config` function
// would do the same and bring all of zod with it.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
