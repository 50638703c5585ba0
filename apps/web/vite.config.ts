import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = 'http://127.0.0.1:3001';

export default defineConfig({
  plugins: [react()],
  // The server puts a fresh nonce in the place of this text in every page it sends, and in its Content-Security-Policy.
  html: { cspNonce: '__KERVAN_CSP_NONCE__' },
  build: {
    target: 'es2023',
    // Nothing is inlined: the Content-Security-Policy allows no data: fonts or scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The check of the bundle's size reads which files each entry needs.
    manifest: true,
    rolldownOptions: {
      output: {
        // What rarely changes stays in the browser's cache when our own code does.
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
            // Together, so that what zod must know is said before zod runs.
            { name: 'zod', test: /node_modules[\\/]zod[\\/]|zod-without-eval/ },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: {
      '/api': server,
      '/docs': server,
      '/socket.io': { target: server, ws: true },
    },
  },
});
