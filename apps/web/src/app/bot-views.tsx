import { BotConsole } from '../features/console/bot-console.tsx';
import { Bots } from '../features/bots/bots.tsx';

export function SolanaBots() {
  return <Bots chain="solana" Console={BotConsole} />;
}

export function BscBots() {
  return <Bots chain="bsc" Console={BotConsole} />;
}
