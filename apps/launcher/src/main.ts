import { runLauncher } from './run-launcher.ts';

await runLauncher({ dev: process.argv.includes('--dev') });
