// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

/// @title Pool deployer of the sandbox's PancakeSwap V3
/// @notice PancakeSwap publishes every V3 contract's build except this one. It keeps the genuine creation
/// code of PancakeV3Pool in a data contract and deploys that with CREATE2, so a pool's address follows from the
/// same init code hash as on the live networks, which is what router, quoter and position manager compute.
contract SandboxV3PoolDeployer {
    struct Parameters {
        address factory;
        address token0;
        address token1;
        uint24 fee;
        int24 tickSpacing;
    }

    /// @notice What the pool under construction reads in its constructor; empty at all other times.
    Parameters public parameters;
    address public factoryAddress;
    address private immutable poolCode;

    error FactoryAlreadySet();
    error OnlyFactory();
    error DeploymentFailed();

    constructor(bytes memory poolCreationCode) {
        // Init code that returns everything after itself. The leading STOP keeps the stored code from being run.
        bytes memory stored = abi.encodePacked(hex"00", poolCreationCode);
        bytes memory initCode = abi.encodePacked(
            hex"63", // PUSH4 length
            uint32(stored.length),
            hex"80600e6000396000f3", // DUP1, PUSH1 14, PUSH1 0, CODECOPY, PUSH1 0, RETURN
            stored
        );
        address code;
        assembly {
            code := create(0, add(initCode, 32), mload(initCode))
        }
        if (code == address(0)) revert DeploymentFailed();
        poolCode = code;
    }

    function setFactoryAddress(address factory) external {
        if (factoryAddress != address(0)) revert FactoryAlreadySet();
        factoryAddress = factory;
    }

    function deploy(
        address factory,
        address token0,
        address token1,
        uint24 fee,
        int24 tickSpacing
    ) external returns (address pool) {
        if (msg.sender != factoryAddress) revert OnlyFactory();
        parameters = Parameters(factory, token0, token1, fee, tickSpacing);
        bytes32 salt = keccak256(abi.encode(token0, token1, fee));
        address code = poolCode;
        assembly {
            let length := sub(extcodesize(code), 1)
            let creationCode := mload(0x40)
            extcodecopy(code, creationCode, 1, length)
            pool := create2(0, creationCode, length, salt)
        }
        if (pool == address(0)) revert DeploymentFailed();
        delete parameters;
    }
}
