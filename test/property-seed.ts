import fc from 'fast-check'

/**
 * Property tests draw the same cases in every run, so that a change fails by what it does and not by chance.
 * `PASSIM_TEST_SEED=N npm test` draws others.
 */
fc.configureGlobal({ seed: Number(process.env.PASSIM_TEST_SEED ?? 20261124) })
