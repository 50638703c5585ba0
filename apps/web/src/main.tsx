import './app/zod-without-eval.ts';
import './app/styles.ts';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { createAccount } from './lib/account.ts';
import { startI18n } from './lib/i18n.ts';
import { migrateLegacyData } from './lib/legacy-data.ts';

startI18n();
migrateLegacyData(localStorage, new Date());
const account = createAccount();
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(<App account={account} />);
void account.session.restore();
